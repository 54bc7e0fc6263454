import { hasRecoveryPhrase } from './recovery-phrase.ts'
import { tokenForms } from './token-forms.ts'

const named =
  /\b(?:password|passcode|passphrase|pass\s?phrase|pwd|mot de passe|nenosiri)s?\b(?!\s+manager)[^.!?\n]{0,30}?(?:\b(?:is|was|est|ni)\b|[:=])\s*(\S+)/iu
const pin = /\b(?:[Pp][Ii][Nn]|[Cc][Vv][VvCc]|[Oo][Tt][Pp]|TAN)\b(?:\s+(?:code|number))?[^.!?\n\d]{0,30}\d{3,8}\b/
const recovery =
  /\b(?:(?:seed|recovery|secret)\s+(?:phrase|words)|frase\s+(?:semilla|de\s+recuperaci[oó]n|di\s+recupero|de\s+recupera[cç][aã]o)|phrase\s+de\s+r[eé]cup[eé]ration)\b[^.!?\n]{0,20}?(?:\b(?:is|are|es|est|è|é)\s|[:=])\s*\S+/i
const digitRuns = /(?<![\d.+])\d(?:[ -]?\d){12,40}(?![\d.]\d)/g
/**
 * Number ranges of the large card companies: Visa, Mastercard and Maestro, American Express, Diners, JCB, UnionPay,
 * Discover.
 */
const cardNumber =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[0-8]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|35\d{14}|6\d{15}(?:\d{3})?)$/

/**
 * Returns the kind of secret that a text appears to contain: recovery phrases of wallets (BIP 39), keys and tokens of
 * known forms, card numbers (ISO/IEC 7812), and labeled passwords and PINs. It prevents mistakes, not deliberate
 * evasion.
 *
 * @returns 'a card number'; undefined otherwise
 */
export const secretViolation = async (text: string): Promise<string | undefined> => {
  if ((await hasRecoveryPhrase(text)) || recovery.test(text)) return 'a recovery phrase'
  if (tokenForms.some(form => form.test(text))) return 'a key or token'
  if ((text.match(digitRuns) ?? []).some(hasCardNumber)) return 'a card number'
  if (pin.test(text)) return 'a PIN'
  return isPassword(named.exec(text)?.[1]) ? 'a password' : undefined
}

/** Returns whether a following word is a password: it contains a digit or sign, or ends the sentence. */
const isPassword = (word: string | undefined): boolean =>
  word !== undefined && (/[^\p{L}.,;!?'’]/u.test(word.replace(/[.,;!?]+$/, '')) || /^["'“„«]/.test(word))

/** Returns whether groups of digits form a card number, without further groups of four, as in longer numbers. */
const hasCardNumber = (run: string): boolean => {
  const groups = run.split(/[ -]/)
  return groups.some((_, start) =>
    groups.slice(start).some((_, more) => {
      const end = start + more + 1
      const isLonger = groups[start - 1]?.length === 4 || groups[end]?.length === 4
      return !isLonger && isCardNumber(groups.slice(start, end).join(''))
    }),
  )
}

/** Returns whether digits are a card number by prefix, length and Luhn checksum. */
const isCardNumber = (digits: string): boolean => {
  if (!cardNumber.test(digits)) return false
  let sum = 0
  for (const [index, digit] of [...digits].reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
