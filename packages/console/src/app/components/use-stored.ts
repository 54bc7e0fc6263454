import { useSyncExternalStore } from 'react'

/** Returns whether this browser stores a choice as made, and the function that stores it for all tabs. */
export const useStored = (key: string) =>
  [
    useSyncExternalStore(follow, () => localStorage.getItem(key) === 'true'),
    (isChosen: boolean) => {
      localStorage.setItem(key, String(isChosen))
      dispatchEvent(new StorageEvent('storage', { key }))
    },
  ] as const

/** Returns whether commands, requests and addresses for clients are shown, and the function that stores it. */
export const useForDevelopers = () => useStored('sibyl-console-developers')

const follow = (listener: () => void) => {
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}
