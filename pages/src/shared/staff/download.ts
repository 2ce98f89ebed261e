/** Downloads of shown rows: CSV for a spreadsheet, JSON for a program. */
export type Cell = string | number | boolean | null
export type Row = Record<string, Cell>

export function asCsv(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => names.map((name) => field(row[name] ?? '')).join(','))
  return `${[names.map(field).join(','), ...lines].join('\r\n')}\r\n`
}

/** A CSV field, quoted if needed, and never one that a spreadsheet would run as a formula. */
function field(value: Cell): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function download(name: string, type: 'text/csv' | 'application/json', text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
