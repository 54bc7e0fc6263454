import type { ClientCapabilities, ServerContext } from '@modelcontextprotocol/server'
import type { Actor } from '@sibyl/plugin'

/** The caller of one request. */
export interface Caller {
  readonly actor: Actor
  readonly request: ServerContext['mcpReq']
  /** Whether its client shows forms to the user. */
  readonly canElicit: boolean
  /** Of a request of an older revision: aborts if its client disconnects, which does not cancel it. */
  readonly connection: AbortSignal | undefined
}

/** Returns the form in which the SDK passes an authenticated caller on. */
export const authInfoOf = (actor: Actor, connection?: AbortSignal) => ({
  token: '',
  clientId: actor.did,
  scopes: [...actor.scopes],
  extra: { actor, connection },
})

/** Returns the caller of a request. */
export const callerOf = ({ http, mcpReq }: ServerContext, capabilities: ClientCapabilities | undefined): Caller => {
  const { actor, connection } = http?.authInfo?.extra ?? {}
  if (typeof actor !== 'object' || actor === null) throw new TypeError('a request has no caller')
  return {
    actor: actor as Actor,
    request: mcpReq,
    canElicit: showsForms(capabilities?.elicitation),
    connection: connection instanceof AbortSignal ? connection : undefined,
  }
}

/** Whether a client shows forms. An empty object stands for them, as in the first revision that had elicitation. */
export const showsForms = (elicitation: ClientCapabilities['elicitation']): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
