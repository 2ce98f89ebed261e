const rows = [...document.querySelectorAll("section.clause")];
const input = document.querySelector(".tools input");
const roles = [...document.querySelectorAll("[data-role]")];
const readings = document.querySelector("[data-readings]");
const told = document.querySelector(".tools [role=status]");
const texts = rows.map((row) => row.textContent.toLowerCase());
function press(button, on) {
  button.setAttribute("aria-pressed", String(on));
}
function show() {
  const role = roles.find((each) => each.getAttribute("aria-pressed") === "true").dataset.role;
  const only = readings.getAttribute("aria-pressed") === "true";
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  rows.forEach((row, place) => {
    const fits =
      (role === roles[0].dataset.role || row.dataset.roles.split(" ").includes(role)) &&
      (!only || "reading" in row.dataset) &&
      words.every((word) => texts[place].includes(word));
    row.hidden = !fits;
    shown += fits ? 1 : 0;
  });
  told.textContent = `${shown} of ${rows.length} rows`;
}
roles.forEach((button) =>
  button.addEventListener("click", () => {
    roles.forEach((each) => press(each, each === button));
    show();
  }),
);
readings.addEventListener("click", () => {
  press(readings, readings.getAttribute("aria-pressed") !== "true");
  show();
});
input.addEventListener("input", show);
show();
