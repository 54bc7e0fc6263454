import type { ClaimCheck, ClaimChecks } from '@sibyl/protocol'
import type { ProtocolRules } from './protocol-rules.ts'

/** Rules of protocols, and where another plugin says what their member `claim` must be. */
export interface ClaimCheckedRules {
  readonly rules: ProtocolRules
  readonly checks: ClaimChecks
}

const mostFaults = 100

/** Adds to rules a check of the member `claim`; until one is given, it may be any JSON. */
export const claimCheckedRules = (rules: ProtocolRules): ClaimCheckedRules => {
  let check: ClaimCheck = () => []
  return {
    checks: {
      use(given) {
        check = given
      },
    },
    rules: {
      ...rules,
      parse(posted, as) {
        const definition = rules.parse(posted, as)
        const faults = 'faults' in definition ? definition.faults : []
        const isJson = !faults.some(({ path }) => path.startsWith('/claim'))
        const found = posted.claim !== undefined && isJson ? check(posted.claim) : []
        return found.length > 0 ? { faults: [...faults, ...found].slice(0, mostFaults) } : definition
      },
    },
  }
}
