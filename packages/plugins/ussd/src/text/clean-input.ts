import { asciiDigits } from '@sibyl/plugin/phones'

/**
 * Returns typed text as the flow reads it: composed (NFC), digits of any script and full-width `＊` and `＃` as ASCII, plain
 * spaces, and without invisible characters.
 *
 * @example cleanInput(' １＊２\u200f') // '1*2'
 */
export const cleanInput = (typed: string): string => {
  if (plain.test(typed)) return typed.trim()
  return asciiDigits(typed.normalize('NFC'))
    .replace(whiteSpace, ' ')
    .replace(invisible, '')
    .replace(/＊/g, '*')
    .replace(/＃/g, '#')
    .trim()
}

/**
 * Returns external text on one line of a screen, without control characters, direction marks and invisible characters
 * that do more than join.
 */
export const cleanLine = (text: string): string =>
  plain.test(text) ? text.trim() : text.replace(whiteSpace, ' ').replace(harmful, '').trim()

export const cleanLines = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map(cleanLine)
    .join('\n')
    .trim()

const plain = /^[\x20-\x7e]*$/
const whiteSpace = /[\s\u0085]/gu
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu
const harmful = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u200b\u2060\ufeff]/gu
