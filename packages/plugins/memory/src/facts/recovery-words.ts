import { validateMnemonic } from '@scure/bip39'
import { wordlist as czech } from '@scure/bip39/wordlists/czech.js'
import { wordlist as english } from '@scure/bip39/wordlists/english.js'
import { wordlist as french } from '@scure/bip39/wordlists/french.js'
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js'
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js'
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese.js'
import { wordlist as simplifiedChinese } from '@scure/bip39/wordlists/simplified-chinese.js'
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js'
import { wordlist as traditionalChinese } from '@scure/bip39/wordlists/traditional-chinese.js'

const chinese = [simplifiedChinese, traditionalChinese]
const all = [czech, english, french, italian, japanese, korean, portuguese, spanish, ...chinese]

/** Returns a text for comparison: lower case and decomposed, without the accents that people omit. */
export const foldWords = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')

/** Words of recovery phrases (BIP-39), folded, one set for each language. */
export const recoveryWords: readonly ReadonlySet<string>[] = all.map(list => new Set(list.map(foldWords)))

/** Returns whether characters are a complete Chinese recovery phrase with a valid checksum. */
export const isChinesePhrase = (characters: string): boolean =>
  chinese.some(list => validateMnemonic([...characters].join(' '), list))
