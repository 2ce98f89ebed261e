/** Loads every catalogue for the tests. */
import { words } from './i18n.svelte'

await words.need(
  'board',
  'cashier',
  'console',
  'home',
  'inspector',
  'learn',
  'names',
  'pit',
  'reasons',
  'rulebook',
  'staff',
  'terminal',
)
