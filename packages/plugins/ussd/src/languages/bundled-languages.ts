import { english } from './english.ts'
import { french } from './french.ts'
import type { Language } from './language.ts'
import { swahili } from './swahili.ts'

/** The bundled languages, the default first. */
export const bundledLanguages: readonly [Language, ...Language[]] = [english, swahili, french]
