import { z } from 'zod'
import type { InputScreen, SecretScreen, Text } from '../flow/flow.ts'

type Parse = InputScreen['parse']
type Check = NonNullable<SecretScreen['check']>

/** Takes a customer id; blanks, dots and hyphens between its digits are as people write it down. */
export const parseCustomerId =
  (problem: Text): Parse =>
  typed => {
    const digits = typed.replace(/[\s.-]/g, '')
    return /^\d{9}$/.test(digits) ? { value: digits } : { problem }
  }

/** Takes a person's name in any script: 1 to 60 characters, one of them a letter; `*` and `'` are part of many. */
export const parseName =
  (problem: Text): Parse =>
  typed => {
    const name = typed.normalize('NFC').replace(/\s+/g, ' ').trim()
    return [...name].length <= 60 && /\p{L}/u.test(name) && !/[\p{Cc}\p{Cs}\p{Cn}]/u.test(name)
      ? { value: name }
      : { problem }
  }

const emailAddress = z.email().max(120)

/** Takes an e-mail address, or `1` for none, which is the value null. */
export const parseEmail =
  (problem: Text): Parse =>
  typed => {
    const { data, success } = emailAddress.safeParse(typed.trim())
    if (success) return { value: data }
    return typed.trim() === '1' ? { value: null } : { problem }
  }

/** Takes words of the caller's own. @param shortest In characters; the longest is 160. */
export const parseWords =
  (shortest: number, problem: Text): Parse =>
  typed => {
    const words = typed.replace(/\s+/g, ' ').trim()
    const length = [...words].length
    return length >= shortest && length <= 160 ? { value: words } : { problem }
  }

/** Says where an answer cannot be a PIN, so that it costs no attempt. */
export const pinForm =
  (problem: Text): Check =>
  typed =>
    /^\d{4,6}$/.test(typed) ? undefined : problem

/** Says where an answer cannot be a one-time code. */
export const codeForm =
  (problem: Text): Check =>
  typed =>
    /^\d{4,12}$/.test(typed) ? undefined : problem
