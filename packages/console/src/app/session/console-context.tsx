import { createContext, useContext } from 'react'
import type { ApiClient } from '../api/api-client.ts'
import type { ConsoleBase } from '../api/console-base.ts'
import type { Access } from './access.ts'
import type { Session } from './session.ts'

/** Dependencies of a view, with a sign-in or without. */
export interface ViewContext {
  readonly api: ApiClient
  readonly oracleName: string
  /** Follows the title of the view in the title of the document. */
  readonly siteName: string
}

/** Dependencies that every view of the console can use. */
export interface ConsoleContext extends ViewContext {
  readonly base: ConsoleBase
  readonly session: Session
  /** Build of this console. */
  readonly build: string
}

export const ViewContextProvider = createContext<ViewContext | undefined>(undefined)
export const ConsoleContextProvider = createContext<ConsoleContext | undefined>(undefined)
export const AccessProvider = createContext<Access | undefined>(undefined)

/** Returns the dependencies of views that need no sign-in. */
export const useView = (): ViewContext => {
  const context = useContext(ViewContextProvider)
  if (!context) throw new Error('The view is outside an app.')
  return context
}

/** Returns the dependencies of views of the console. */
export const useConsole = (): ConsoleContext => {
  const context = useContext(ConsoleContextProvider)
  if (!context) throw new Error('The view is outside the console.')
  return context
}

/** Returns the client of the oracle, with the rights of the user. */
export const useApi = (): ApiClient => useView().api

/** Returns the rights of the user. */
export const useAccess = (): Access => {
  const access = useContext(AccessProvider)
  if (!access) throw new Error('The view needs a user with rights.')
  return access
}
