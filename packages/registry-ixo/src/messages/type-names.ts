import type { EntityRecord } from '@sibyl/plugin-entities/records'

/** Returns the type name of the chain for our type: an oracle has another one, every other type is unchanged. */
export const chainTypeOf = (type: string): string => (type === 'Oracle' ? 'oracle' : type)

/** Our type of what the chain calls an entity. */
export const typeOf = (chainType: string): string => (chainType === 'oracle' ? 'Oracle' : chainType)

const cognitive =
  /^(organisation|membershipgroup|project|funder|investment|distributor|distributionagent|person|programme|protocol)$/
const systems = /^(network|system|collection|market|fleet|supplychain)$/

/** The class of an entity, which the chain does not keep: that of its type, else Physical Twins. */
export const domainClassOfType = (type: string): EntityRecord['domainClass'] => {
  const plain = type.toLowerCase().replace(/[-_]/g, '')
  const key = plain.length > 'entity'.length ? plain.replace(/entity$/, '') : plain
  if (key.startsWith('oracle')) return 'Oracle Twins'
  if (cognitive.test(key)) return 'Cognitive Twins'
  return systems.test(key) ? 'Twin Systems' : 'Physical Twins'
}
