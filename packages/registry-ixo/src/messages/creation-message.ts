import type { EntityCreation } from '@sibyl/plugin-entities/records'
import type { ChainAccount } from '../account/chain-account.ts'
import type { ChainMessage } from './chain-message.ts'
import { mustBeExpressible } from './expressible.ts'
import { chainLink, edgesOf } from './links.ts'
import { propertiesResource } from './properties-resource.ts'
import { chainService } from './services.ts'
import { chainTypeOf } from './type-names.ts'
import { accountVerification, keyVerification } from './verifications.ts'

/** The key of the context that names an entity's protocol, as the chain's own clients write it. */
export const protocolContext = 'class'

/**
 * The message that registers an entity.
 *
 * @param relayerNode The DID of the operator through which it is registered; the chain must know it.
 * @throws NotExpressibleError (`chain_not_expressible`)
 */
export const creationMessage = (
  creation: EntityCreation,
  { did, keyDid, address }: Pick<ChainAccount, 'did' | 'keyDid' | 'address'>,
  relayerNode: string,
): ChainMessage => {
  mustBeExpressible(creation)
  const { type, controller = keyDid, properties, services = [], relationships = {}, protocol } = creation
  const [alsoKnownAs = ''] = creation.alsoKnownAs ?? []
  const keys = [...new Set([controller, alsoKnownAs])].map(keyVerification).filter(key => key !== undefined)
  return {
    typeUrl: '/ixo.entity.v1beta1.MsgCreateEntity',
    value: {
      entityType: chainTypeOf(type),
      entityStatus: 0,
      controller: [controller],
      context: protocol === undefined ? [] : [{ key: protocolContext, val: protocol }],
      verification: [accountVerification({ did, address }), ...keys],
      service: services.map(chainService),
      linkedResource: hasMembers(properties) ? [propertiesResource(properties)] : [],
      linkedEntity: edgesOf(relationships).map(chainLink),
      relayerNode,
      ownerDid: did,
      ownerAddress: address,
      alsoKnownAs,
    },
  }
}

const hasMembers = (properties: EntityCreation['properties']): properties is NonNullable<typeof properties> =>
  properties !== undefined && Object.keys(properties).length > 0

/** Gives the account a DID document, without which the chain takes no entity from it. Once for each account. */
export const accountDocumentMessage = ({ did, address }: Pick<ChainAccount, 'did' | 'address'>): ChainMessage => ({
  typeUrl: '/ixo.iid.v1beta1.MsgCreateIidDocument',
  value: {
    id: did,
    controllers: [did],
    verifications: [accountVerification({ did, address })],
    signer: address,
  },
})
