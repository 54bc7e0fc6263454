import { createContext, useContext } from 'react'
import type { ApiClient } from '../api/api-client.ts'
import type { ConsoleBase } from '../api/console-base.ts'
import type { Access } from './access.ts'
import type { Session } from './session.ts'

/** Dependencies that every view can use. */
export interface ConsoleContext {
  readonly base: ConsoleBase
  readonly api: ApiClient
  readonly session: Session
  /** Name of the oracle. */
  readonly oracleName: string
  /** Build of this console. */
  readonly build: string
}

export const ConsoleContextProvider = createContext<ConsoleContext | undefined>(undefined)
export const AccessProvider = createContext<Access | undefined>(undefined)

/** Returns the dependencies of views. */
export const useConsole = (): ConsoleContext => {
  const context = useContext(ConsoleContextProvider)
  if (!context) throw new Error('The view is outside the console.')
  return context
}

/** Returns the client of the oracle, with the rights of the user. */
export const useApi = (): ApiClient => useConsole().api

/** Returns the rights of the user. */
export const useAccess = (): Access => {
  const access = useContext(AccessProvider)
  if (!access) throw new Error('The view needs a user who signed in.')
  return access
}
