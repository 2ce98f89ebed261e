/** The colours of colour chips, in the reader's language. */
import { t, type Key } from '../../../shared/words/i18n.svelte'

export const CHIP_COLOURS = ['blue', 'orange', 'lavender', 'teal', 'pink', 'lime', 'brown', 'navy', 'yellow'] as const

const KNOWN: ReadonlySet<string> = new Set(CHIP_COLOURS)

export const colourWord = (colour: string): string => (KNOWN.has(colour) ? t(`names.colour_${colour}` as Key) : colour)
