// The locks compare the path as it was written, while the router reads it decoded: what a lock in front of a router does.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/core/src/http/access-policy.ts',
    find: 'export const lock = (',
    replace: `export const lock = (...parameters) => {
  const gate = routeLock(...parameters)
  return gate && (c => (new URL(c.req.url).pathname === c.req.path ? gate(c) : undefined))
}
const routeLock = (`,
  },
])
