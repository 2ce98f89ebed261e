/** The terms of a table in the reader's words: lines of limits and settings as the journal writes them. */
import { t, words, type Key } from '../words/i18n.svelte'
import { typeName } from '../words/naming'

/** A wager type; `*` is every type that has no line of its own. */
export const limitedType = (type: string): string => (type === '*' ? t('staff.every_other') : typeName(type))

const sum = (units: string): string => words.sum(Math.round(Number(units) * 100))

/** `straight_up 5 100` as `Straight Up: 5 to 100`. */
export function limitWords(line: string): string {
  const [type = '', least = '', most = ''] = line.split(' ')
  return t('staff.limit_line', { type: limitedType(type), least: sum(least), most: sum(most) })
}

/** `area_maximum red 500`, `complete_dozen inside`, `ring 0 32 …`; other lines stay as written. */
export function settingWords(line: string): string {
  const [name = '', ...values] = line.split(' ')
  if (name === 'area_maximum')
    return t('staff.setting_area_maximum', { type: limitedType(values[0] ?? ''), sum: sum(values[1] ?? '') })
  if (name === 'ring') return t('staff.setting_ring', { numbers: values.join(' ') })
  const key = `staff.setting_${name}_${values[0]}`
  const said = t(key as Key)
  return said === key ? line : said
}
