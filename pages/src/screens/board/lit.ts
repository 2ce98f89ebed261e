/** Which Bonus Numbers are lit: by the layout's own word, or as drawn where the Dealer looks. */
import type { TableView } from '../../generated/schema'

export function litOf({ lights, lit, bonus }: TableView): readonly string[] {
  return lights === 'device' ? lit.filter((each) => bonus.includes(each)) : bonus
}
