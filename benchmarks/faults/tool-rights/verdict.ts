/** The outcome of a request to a route, or of a call of a tool; `ended` where a route does not say how a right ended. */
export type Verdict = 'run' | 'ability' | 'revoked' | 'expired' | 'removed' | 'ended'

const endings = [
  [/revoked/, 'revoked'],
  [/expired/, 'expired'],
  [/removed|untrusted_root|credential_unknown|may no longer grant/, 'removed'],
  [/bearer_invalid/, 'ended'],
] as const

/** Reads the verdict from the code of a problem. Codes that do not come from the lock count as `run`. */
export const verdictOfCode = (code: string): Verdict => {
  if (code === 'scope_missing' || code === 'ucan_capability_missing') return 'ability'
  if (!/^(ucan|grant|bearer|credential)_/.test(code)) return 'run'
  return endings.find(([pattern]) => pattern.test(code))?.[1] ?? 'run'
}

/** Reads the verdict from a response. */
export const verdictOfResponse = async (response: Response): Promise<Verdict> => {
  if (response.status !== 401 && response.status !== 403) {
    await response.body?.cancel()
    return 'run'
  }
  const { code } = (await response.json()) as { readonly code: string }
  return verdictOfCode(code)
}

const missing = /requires the ability .*, which this caller does not have\. It was not run\./
const notRun = /was not run: The delegation|was not run: The issuer|was not run: The API key/

/** Reads the verdict from what the model gets as the result of a call. Other failures of a tool count as `run`. */
export const verdictOfResult = (result: string): Verdict => {
  if (missing.test(result)) return 'ability'
  return notRun.test(result) ? (endings.find(([pattern]) => pattern.test(result))?.[1] ?? 'ended') : 'run'
}

/** Returns whether a tool's verdict is one of those that routes gave. `ended` stands for any end of a right. */
export const agrees = (wanted: readonly Verdict[], found: Verdict): boolean =>
  wanted.some(one => one === found || (one === 'ended' && found !== 'run' && found !== 'ability'))
