/** A button's act with its object, for screen readers that read it without its row. */
import { t } from '../words/i18n.svelte'

/** `Change: Hana`; the button's own words come first, for people who use voice control. */
export const buttonName = (act: string, ...about: (string | null | undefined)[]): string =>
  t('common.button_name', { act, about: about.filter(Boolean).join(', ') })
