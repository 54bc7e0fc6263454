import { domainClasses } from '@sibyl/protocol'
import { countsAsType } from '../protocols/organisation-types.ts'
import { typeKey } from '../protocols/type-key.ts'
import { isSameDid } from '../records/entity-did.ts'
import type { NodeFacts } from './graph.ts'

/**
 * Whether an entity is of a kind that a protocol asks for: a type, a class, the DID of its protocol, or `any`. The kind
 * `OracleEntity` is that of all Oracle Twins.
 */
export const isOfKind = (node: Pick<NodeFacts, 'type' | 'domainClass' | 'protocol'>, kind: string): boolean => {
  if (kind.startsWith('did:')) return node.protocol !== undefined && isSameDid(node.protocol.did, kind)
  if (domainClasses.some(one => one === kind)) return node.domainClass === kind
  const key = typeKey(kind)
  if (key === 'any') return true
  return key === 'oracle' ? node.domainClass === 'Oracle Twins' : countsAsType(node.type, kind)
}
