/** What a button does, and to what or whom: for who hears it without the row it stands in. */
import { t } from '../words/i18n.svelte'

/** `Change: Hana`; the words on the button come first, so that who says them is understood. */
export const buttonName = (act: string, ...about: (string | null | undefined)[]): string =>
  t('common.button_name', { act, about: about.filter(Boolean).join(', ') })
