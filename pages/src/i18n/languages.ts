/** The languages of the pages: one row each, and one catalogue `CODE.json` beside this file. */

export interface Language {
  code: string
  /** Its name in the language itself. */
  name: string
  /** The locale of figures and dates: Tamil groups by lakhs in India, by thousands in Singapore. */
  locale: string
  /** Whether a native speaker who knows the trade has read the catalogue. */
  isReadByTrade: boolean
}

export const LANGUAGES: readonly Language[] = [
  { code: 'en', name: 'English', locale: 'en-SG', isReadByTrade: true },
  { code: 'zh-Hans', name: '简体中文', locale: 'zh-Hans', isReadByTrade: false },
  { code: 'ms', name: 'Bahasa Melayu', locale: 'ms-SG', isReadByTrade: false },
  { code: 'ta', name: 'தமிழ்', locale: 'ta-SG', isReadByTrade: false },
]
