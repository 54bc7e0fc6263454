import type { DirectoryProtocol } from '@sibyl/protocol'
import type { Claim } from '../claims/claim.ts'
import type { Collection } from '../collections/collection.ts'
import type { EvaluationParts } from './evaluation-parts.ts'

/** Why a claim is not approved without a person, whatever its verdict says; undefined where nothing speaks against it. */
export const doubtOf = async (
  { asset, protocol: followed }: Claim,
  collection: Collection,
  { directory, parties }: Pick<EvaluationParts, 'directory' | 'parties'>,
): Promise<string | undefined> => {
  const [entities, version] = await Promise.all([
    asset === undefined ? undefined : directory.find([asset]),
    followed && directory.protocol(followed.did, followed.version),
  ])
  if (asset !== undefined && entities?.get(asset)?.status !== 'active') return 'The entity is out of use by now.'
  if (!version) return undefined
  if (version.retired) return `Version ${version.version} of the protocol is retired by now.`
  const { leastProtocolVersion: least = 1 } = collection
  if (collection.protocol !== undefined && version.version < least) {
    return `The collection takes version ${least} of the protocol or a newer one by now.`
  }
  if (isAccepted(version, collection) || parties.isSame(version.controller, collection.controller)) return undefined
  return `The controller of the collection has not accepted version ${version.version} of the protocol, which somebody else controls.`
}

/** Whether the controller of a collection knows a version of its protocol; one of no collection only adds conditions. */
const isAccepted = (
  { version, createdAt }: DirectoryProtocol,
  { protocol, acceptedProtocolVersion: accepted, createdAt: madeAt }: Collection,
): boolean => protocol === undefined || (accepted === undefined ? createdAt <= madeAt : version <= accepted)
