import { z } from 'zod'
import type { InputScreen, SecretScreen, Text } from '../flow/flow.ts'

type Parse = InputScreen['parse']
type Check = NonNullable<SecretScreen['check']>

/** Returns a parser of customer ids, with blanks, dots and hyphens between the digits. */
export const parseCustomerId =
  (problem: Text): Parse =>
  typed => {
    const digits = typed.replace(/[\s.-]/g, '')
    return /^\d{9}$/.test(digits) ? { value: digits } : { problem }
  }

/** Returns a parser of names in any script: 1 to 60 characters, one of them a letter. */
export const parseName =
  (problem: Text): Parse =>
  typed => {
    const name = typed.normalize('NFC').replace(/\s+/g, ' ').trim()
    return [...name].length <= 60 && /\p{L}/u.test(name) && !/[\p{Cc}\p{Cs}\p{Cn}]/u.test(name)
      ? { value: name }
      : { problem }
  }

const emailAddress = z.email().max(120)

/** Returns a parser of e-mail addresses; `1` for none is the value null. */
export const parseEmail =
  (problem: Text): Parse =>
  typed => {
    const { data, success } = emailAddress.safeParse(typed.trim())
    if (success) return { value: data }
    return typed.trim() === '1' ? { value: null } : { problem }
  }

/** Returns a parser of free text. @param shortest In characters; the longest is 160. */
export const parseWords =
  (shortest: number, problem: Text): Parse =>
  typed => {
    const words = typed.replace(/\s+/g, ' ').trim()
    const length = [...words].length
    return length >= shortest && length <= 160 ? { value: words } : { problem }
  }

/** Returns a check of the form of a PIN, so that a mistyped one costs no attempt. */
export const pinForm =
  (problem: Text): Check =>
  typed =>
    /^\d{4,6}$/.test(typed) ? undefined : problem

/** Returns a check of the form of a one-time code. */
export const codeForm =
  (problem: Text): Check =>
  typed =>
    /^\d{4,12}$/.test(typed) ? undefined : problem
