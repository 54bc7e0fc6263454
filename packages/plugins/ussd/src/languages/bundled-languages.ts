import { english } from './english.ts'
import { french } from './french.ts'
import type { Language } from './language.ts'
import { swahili } from './swahili.ts'

/** The languages that come along; the first one is spoken to those who chose none. */
export const bundledLanguages: readonly [Language, ...Language[]] = [english, swahili, french]
