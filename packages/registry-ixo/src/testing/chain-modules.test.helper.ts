import { createHash } from 'node:crypto'
import {
  allIn,
  type Document,
  type Entity,
  type Method,
  methodIn,
  type Texts,
  textsIn,
  widths,
} from './chain-records.test.helper.ts'
import { invalidInput, invalidRequest, keyNotFound, unauthorized, unknownRequest } from './chain-refusal.test.helper.ts'
import { bytesOf, encode, type Fields, messageOf, messagesOf, numberOf, textOf, textsOf } from './wire.test.helper.ts'

/** What the iid and entity modules keep. */
export interface ModuleState {
  readonly documents: Map<string, Document>
  readonly entities: Map<string, Entity>
}

/** Who signed a transaction, and in which block it is. */
export interface Execution {
  readonly signer: string
  /** SHA-256 of the transaction, hex. */
  readonly hash: string
  /** Milliseconds of the block's time. */
  readonly time: number
}

/** Carries out a message. @returns the bytes of its answer @throws Refusal */
export const execute = (state: ModuleState, typeUrl: string, value: Fields, execution: Execution): Buffer => {
  const handler = handlers[typeUrl]
  if (!handler) throw unknownRequest(`unrecognized message ${typeUrl}`)
  return handler(state, value, execution) ?? Buffer.alloc(0)
}

type Handler = (state: ModuleState, value: Fields, execution: Execution) => Buffer | undefined

/** A handler of the iid module: the DID is its first member, the signer its last. */
const onDocument =
  (signerNumber: number, change: (document: Document, value: Fields) => void): Handler =>
  (state, value, execution) => {
    const document = state.documents.get(textOf(value, 1))
    if (!document) throw keyNotFound(`did document at ${textOf(value, 1)} not found`)
    mustSign(textOf(value, signerNumber), execution)
    if (!mayAuthenticate(document, execution.signer))
      throw unauthorized(`signer account ${execution.signer} not authorized to update the target did document`)
    change(document, value)
    document.versionId = execution.hash
    document.updated = execution.time
    return undefined
  }

const handlers: Readonly<Record<string, Handler>> = {
  '/ixo.iid.v1beta1.MsgCreateIidDocument': (state, value, execution) => {
    mustSign(textOf(value, 10), execution)
    const id = didIn(textOf(value, 1))
    if (state.documents.has(id)) throw invalidInput(`a document with did ${id} already exists`)
    const methods = methodsIn(value, 4)
    state.documents.set(id, newDocument({ id, controllers: textsOf(value, 2), methods }, execution))
    return undefined
  },
  '/ixo.entity.v1beta1.MsgCreateEntity': (state, value, execution) => {
    mustSign(textOf(value, 15), execution)
    const [owner, relayerNode] = [textOf(value, 14), textOf(value, 12)]
    mustActAs(state, owner, execution.signer)
    if (!state.documents.has(didIn(relayerNode)))
      throw keyNotFound(`relayer node did document not found for ${relayerNode}`)
    const id = `did:ixo:entity:${createHash('md5').update(`contract/${state.entities.size}`).digest('hex')}`
    const document = newDocument({ id, controllers: [], methods: methodsIn(value, 5) }, execution)
    document.controllers = [...new Set([...textsOf(value, 3).map(didIn), id, owner])].toSorted()
    document.contexts = unique(allIn(value, 4, widths.context), 1)
    document.services = unique(allIn(value, 6, widths.service).map(serviceIn), 1)
    document.resources = unique(allIn(value, 8, widths.resource), 2)
    document.links = unique(allIn(value, 9, widths.link), 2)
    document.alsoKnownAs = textOf(value, 17)
    state.documents.set(id, document)
    state.entities.set(id, {
      id,
      type: textOf(value, 1),
      status: numberOf(value, 2),
      startDate: bytesOf(value, 10),
      endDate: bytesOf(value, 11),
      relayerNode,
      credentials: textsOf(value, 13),
      versionId: execution.hash,
      created: execution.time,
      updated: execution.time,
    })
    return encode([
      [1, id],
      [2, textOf(value, 1)],
      [3, numberOf(value, 2)],
    ])
  },
  '/ixo.entity.v1beta1.MsgUpdateEntity': (state, value, execution) => {
    mustSign(textOf(value, 7), execution)
    const controller = textOf(value, 6)
    mustActAs(state, controller, execution.signer)
    const entity = state.entities.get(textOf(value, 1))
    const document = state.documents.get(textOf(value, 1))
    if (!entity || !document?.controllers.includes(controller)) throw unauthorized('not a controller')
    entity.status = numberOf(value, 2)
    entity.startDate = bytesOf(value, 3)
    entity.endDate = bytesOf(value, 4)
    entity.credentials = textsOf(value, 5)
    for (const record of [entity, document]) {
      record.versionId = execution.hash
      record.updated = execution.time
    }
    return undefined
  },
  '/ixo.iid.v1beta1.MsgAddService': onDocument(3, (document, value) => {
    document.services = unique([...document.services, serviceIn(textsIn(messageOf(value, 2), widths.service))], 1)
  }),
  '/ixo.iid.v1beta1.MsgDeleteService': onDocument(3, (document, value) => {
    document.services = without(document.services, 1, textOf(value, 2))
  }),
  '/ixo.iid.v1beta1.MsgAddLinkedResource': onDocument(3, (document, value) => {
    document.resources = unique([...document.resources, textsIn(messageOf(value, 2), widths.resource)], 2)
  }),
  '/ixo.iid.v1beta1.MsgDeleteLinkedResource': onDocument(3, (document, value) => {
    document.resources = without(document.resources, 2, textOf(value, 2))
  }),
  '/ixo.iid.v1beta1.MsgAddLinkedEntity': onDocument(3, (document, value) => {
    document.links = unique([...document.links, textsIn(messageOf(value, 2), widths.link)], 2)
  }),
  '/ixo.iid.v1beta1.MsgDeleteLinkedEntity': onDocument(3, (document, value) => {
    document.links = without(document.links, 2, textOf(value, 2))
  }),
  '/ixo.iid.v1beta1.MsgAddController': onDocument(3, (document, value) => {
    document.controllers = [...new Set([...document.controllers, didIn(textOf(value, 2))])].toSorted()
  }),
  '/ixo.iid.v1beta1.MsgDeleteController': onDocument(3, (document, value) => {
    document.controllers = document.controllers.filter(did => did !== textOf(value, 2))
  }),
  '/ixo.iid.v1beta1.MsgAddVerification': onDocument(3, (document, value) => {
    document.methods = [...document.methods, validMethod(methodIn(messageOf(value, 2)))]
  }),
  '/ixo.iid.v1beta1.MsgRevokeVerification': onDocument(3, (document, value) => {
    const id = textOf(value, 2)
    if (!document.methods.some(({ texts }) => texts[1] === id)) throw invalidInput(`verification method id: ${id}`)
    document.methods = document.methods.filter(({ texts }) => texts[1] !== id)
  }),
}

const newDocument = (given: Pick<Document, 'id' | 'controllers' | 'methods'>, { hash, time }: Execution): Document => ({
  ...given,
  contexts: [],
  services: [],
  resources: [],
  links: [],
  alsoKnownAs: '',
  versionId: hash,
  created: time,
  updated: time,
  deactivated: false,
})

const mustSign = (address: string, { signer }: Execution): void => {
  if (address !== signer) throw unauthorized(`the transaction is signed by ${signer}, and not by ${address}`)
}

const mustActAs = ({ documents }: ModuleState, did: string, signer: string): void => {
  const document = documents.get(did)
  if (!document) throw unauthorized(`did document ${did} not found`)
  if (!mayAuthenticate(document, signer)) throw unauthorized(`signer ${signer} may not act for did ${did}`)
}

const mayAuthenticate = ({ methods }: Document, signer: string): boolean =>
  methods.some(({ texts, relationships }) => texts[4] === signer && relationships.includes('authentication'))

const didIn = (text: string): string => {
  if (!/^did:[a-z0-9]+:[\w.:%-]+$/.test(text)) throw invalidRequest(`invalid did format: ${text}`)
  return text
}

const methodsIn = (value: Fields, number: number): Method[] => {
  const methods = messagesOf(value, number).map(one => validMethod(methodIn(one)))
  if (methods.length === 0) throw invalidRequest('verifications are required')
  if (new Set(methods.map(({ texts }) => texts[1])).size < methods.length)
    throw invalidInput('duplicated verification method id')
  return methods
}

const validMethod = (method: Method): Method => {
  const { texts, relationships } = method
  if (!/^did:[^#]+#.+$/.test(texts[1] ?? '')) throw invalidRequest('verification method id')
  didIn(texts[3] ?? '')
  if (texts[2] === '') throw invalidInput('verification method type not set')
  if ([4, 5, 6, 7].filter(number => texts[number] !== '').length !== 1) throw invalidInput('verification material')
  if (relationships.length === 0) throw invalidInput('at least a verification relationship is required')
  return method
}

const serviceIn = (texts: Texts): Texts => {
  if (texts[1]?.trim() === '' || texts[2]?.trim() === '' || texts[3]?.trim() === '')
    throw invalidInput('a service has an id, a type and an endpoint')
  return texts
}

const unique = (all: readonly Texts[], idNumber: number): Texts[] => {
  const ids = all.map(texts => texts[idNumber])
  if (new Set(ids).size < ids.length) throw invalidInput(`duplicated id ${ids.at(-1)}`)
  return [...all]
}

const without = (all: readonly Texts[], idNumber: number, id: string): Texts[] => {
  if (all.length === 0) throw invalidInput("the did document doesn't have any")
  return all.filter(texts => texts[idNumber] !== id)
}
