import { useEffect, useState } from 'react'

/** Returns the time, each second while it is needed. */
export const useNow = (isNeeded: boolean): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isNeeded) return undefined
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isNeeded])
  return now
}
