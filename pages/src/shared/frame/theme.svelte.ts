/** Light or dark: `?theme=` for this visit, or the person's choice, or the device's. */

export type Theme = 'light' | 'dark'
export type ThemeChoice = Theme | 'device'

const KEPT = 'croupier.theme'
const light = globalThis.matchMedia?.('(prefers-color-scheme: light)')

class ThemeSetting {
  choice = $state<ThemeChoice>('device')
  #deviceIsLight = $state(light?.matches ?? false)

  begin(search: string): void {
    const asked = new URLSearchParams(search).get('theme') ?? localStorage.getItem(KEPT)
    if (asked === 'light' || asked === 'dark') this.choice = asked
    light?.addEventListener('change', () => {
      this.#deviceIsLight = light.matches
      this.#show()
    })
    this.#show()
  }

  choose(choice: ThemeChoice): void {
    this.choice = choice
    if (choice === 'device') localStorage.removeItem(KEPT)
    else localStorage.setItem(KEPT, choice)
    this.#show()
  }

  get shown(): Theme {
    if (this.choice !== 'device') return this.choice
    return this.#deviceIsLight ? 'light' : 'dark'
  }

  #show(): void {
    document.documentElement.dataset.theme = this.shown
  }
}

export const theme = new ThemeSetting()
