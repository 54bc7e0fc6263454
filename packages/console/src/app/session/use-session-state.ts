import { useSyncExternalStore } from 'react'
import type { Session } from './session.ts'

/** Returns whether a user is signed in, and follows other tabs. */
export const useIsSignedIn = (session: Session): boolean =>
  useSyncExternalStore(session.subscribe, () => session.isSignedIn)
