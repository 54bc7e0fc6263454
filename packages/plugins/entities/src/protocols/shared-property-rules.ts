import type { PropertyRules } from '@sibyl/protocol'
import { checkJson } from './check-json.ts'
import { checkProperties } from './check-properties.ts'
import { FaultList } from './fault-list.ts'
import { parsePropertyRules } from './parse-property-rules.ts'

/** The rules of protocols as other plugins use them. */
export const sharedPropertyRules: PropertyRules = {
  parse(posted, path) {
    const faults = new FaultList()
    const rules = parsePropertyRules(posted, path, { faults, rules: 0 })
    return faults.all.length > 0 ? { faults: faults.all } : { rules }
  },
  check(rules, properties, path) {
    const faults = new FaultList()
    if (rules) checkProperties(rules, properties, path, faults)
    else checkJson(properties, path, faults)
    return faults.all
  },
}
