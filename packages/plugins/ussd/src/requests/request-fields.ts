import { z } from 'zod'

const maxSessionIdCharacters = 100

/** Maximum accumulated text of a session, in characters, unless the gateway is known to send more. */
export const defaultTextLimit = 182

/** Maximum length of a service code, in characters: the capacity of one message. */
const maxServiceCodeCharacters = 182

/** Returns whether a text has at most `max` characters; a surrogate pair is one. */
const hasAtMost = (text: string, max: number): boolean => {
  if (text.length <= max) return true
  if (text.length > 2 * max) return false
  return [...text].length <= max
}

const text = (max: number, base = z.string()) =>
  base.refine(given => hasAtMost(given, max), `has more than ${max} characters`).meta({ maxLength: max })

/** Characters that no phone sends: control characters, unpaired surrogates, line separators, replacement characters. */
const unsendable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u

/** The end of a line after an input, which some gateways add. */
const endOfLine = /\r?\n(?=\*|$)/g

/** The same, and format characters such as direction marks. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u

/**
 * Returns the schema of a request in the interface specification, for a text of at most `textLimit` characters.
 * Invisible characters and digits of other scripts in `text` are left to the flow, which cleans its input.
 */
export const requestFields = (textLimit: number) =>
  z.object({
    sessionId: text(maxSessionIdCharacters)
      .refine(
        given => given.length > 0 && !unprintable.test(given),
        'is empty or has characters that cannot be printed',
      )
      .meta({
        description: "The network session's id, as the telecom gateway gives it",
        example: 'ATUid_8f14e45f',
        minLength: 1,
      }),
    serviceCode: z
      .string()
      .max(maxServiceCodeCharacters)
      .regex(/^\*\d+(\*\d+)*#$/)
      .meta({ description: 'The code that was dialled', example: '*1234#' }),
    phoneNumber: z
      .string()
      .max(16)
      .regex(/^\+[1-9]\d{1,14}$/)
      .meta({ description: "The caller's number (E.164)", example: '+260971234567' }),
    text: text(
      textLimit,
      z.string().overwrite(given => given.replace(endOfLine, '')),
    )
      .refine(given => !unsendable.test(given), 'has characters that no phone sends')
      .meta({ description: 'What was typed in the session so far, joined by `*`; empty on the dial', example: '1*2' }),
  })

export type RequestFields = ReturnType<typeof requestFields>
