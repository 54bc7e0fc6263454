import type { Homeserver } from './homeserver.test.support.ts'

/** What a homeserver that is a process of its own may be told over its control. */
export const orderNames = [
  'up',
  'down',
  'fault',
  'fix',
  'addUser',
  'signIn',
  'expireTokens',
  'forgetPositions',
  'inject',
  'flood',
  'events',
  'requests',
] as const

/** An order: `POST` it as JSON. */
export interface Order {
  readonly name: (typeof orderNames)[number]
  readonly args: readonly unknown[]
}

/** What a homeserver is told, as functions that resolve once it obeyed. */
export type HomeserverControl = {
  readonly [Name in Order['name']]: (
    ...args: Parameters<Homeserver[Name]>
  ) => Promise<Awaited<ReturnType<Homeserver[Name]>>>
}

/** Whether something is an order. */
export const isOrder = ({ name, args }: Order): boolean => orderNames.includes(name) && Array.isArray(args)

/** The control of the homeserver that listens for orders at an address. */
export const controlAt = (url: string): HomeserverControl => {
  const report = async (order: Order): Promise<unknown> => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(order) })
    const { answer, error } = (await response.json()) as { readonly answer?: unknown; readonly error?: string }
    if (error !== undefined) throw new Error(error)
    return answer
  }
  const entries = orderNames.map(name => [name, (...args: readonly unknown[]) => report({ name, args })] as const)
  return Object.fromEntries(entries) as unknown as HomeserverControl
}
