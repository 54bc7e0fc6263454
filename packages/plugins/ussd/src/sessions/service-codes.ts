import type { UssdRequest } from '../requests/ussd-request.ts'

/** A dialled code, told apart. */
export interface DialledCode {
  /** The code that a service is reached by: `*1234#`. */
  readonly base: string
  /** What was dialled behind it, as answers joined by `*`: `1*2`; empty for nothing. */
  readonly shortcut: string
}

/** The codes of a request. */
export interface RequestCodes extends DialledCode {
  /** The same in all requests of a session; empty where its provider does not say a code in each. */
  readonly session: string
}

/**
 * Tells the base code of what was dialled from the answers behind it. The longest base code wins; a code that belongs to
 * none, or any code where there are none, is a base code itself.
 *
 * @param dialled `*1234*1*2#`
 * @param baseCodes `USSD_SERVICE_CODES`
 */
export const splitServiceCode = (dialled: string, baseCodes: readonly string[]): DialledCode => {
  const digits = dialled.slice(0, -1)
  let base: string | undefined
  for (const code of baseCodes) {
    const stem = code.slice(0, -1)
    const fits = digits === stem || digits.startsWith(`${stem}*`)
    if (fits && (base === undefined || code.length > base.length)) base = code
  }
  if (base === undefined) return { base: dialled, shortcut: '' }
  return { base, shortcut: digits.slice(base.length) }
}

/** Reads the codes of a request. A code that nobody was told leads nowhere else: with base codes or without. */
export const requestCodes = (
  { serviceCode, dialled = serviceCode }: Pick<UssdRequest, 'serviceCode' | 'dialled'>,
  baseCodes: readonly string[],
): RequestCodes => ({
  session: serviceCode === '' ? '' : splitServiceCode(serviceCode, baseCodes).base,
  ...(dialled === '' ? { base: '', shortcut: '' } : splitServiceCode(dialled, baseCodes)),
})
