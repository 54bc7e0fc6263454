import type { ChainLibraries } from '../libraries/load-libraries.ts'

type Iid = ChainLibraries['sdk']['ixo']['iid']['v1beta1']
type Entity = ChainLibraries['sdk']['ixo']['entity']['v1beta1']

type Value<Type extends { fromPartial(value: never): unknown }> = Parameters<Type['fromPartial']>[0]

/** The messages that the registry sends, by the names that the chain knows them by. */
interface MessageValues {
  '/ixo.entity.v1beta1.MsgCreateEntity': Value<Entity['MsgCreateEntity']>
  '/ixo.entity.v1beta1.MsgUpdateEntity': Value<Entity['MsgUpdateEntity']>
  '/ixo.iid.v1beta1.MsgCreateIidDocument': Value<Iid['MsgCreateIidDocument']>
  '/ixo.iid.v1beta1.MsgAddService': Value<Iid['MsgAddService']>
  '/ixo.iid.v1beta1.MsgDeleteService': Value<Iid['MsgDeleteService']>
  '/ixo.iid.v1beta1.MsgAddLinkedResource': Value<Iid['MsgAddLinkedResource']>
  '/ixo.iid.v1beta1.MsgDeleteLinkedResource': Value<Iid['MsgDeleteLinkedResource']>
  '/ixo.iid.v1beta1.MsgAddLinkedEntity': Value<Iid['MsgAddLinkedEntity']>
  '/ixo.iid.v1beta1.MsgDeleteLinkedEntity': Value<Iid['MsgDeleteLinkedEntity']>
  '/ixo.iid.v1beta1.MsgAddController': Value<Iid['MsgAddController']>
  '/ixo.iid.v1beta1.MsgDeleteController': Value<Iid['MsgDeleteController']>
  '/ixo.iid.v1beta1.MsgAddVerification': Value<Iid['MsgAddVerification']>
  '/ixo.iid.v1beta1.MsgRevokeVerification': Value<Iid['MsgRevokeVerification']>
}

/** A message to the chain, before it is encoded; members that are left out are empty. */
export type ChainMessage = {
  [Name in keyof MessageValues]: { readonly typeUrl: Name; readonly value: MessageValues[Name] }
}[keyof MessageValues]

/** A service of a DID document. */
export type ChainService = ReturnType<Iid['Service']['decode']>

/** A resource of a DID document. */
export type ChainResource = ReturnType<Iid['LinkedResource']['decode']>

/** An entity that a DID document leads to. */
export type ChainLink = ReturnType<Iid['LinkedEntity']['decode']>

/** A key of a DID document, and what it is good for. */
export type ChainVerification = ReturnType<Iid['Verification']['decode']>
