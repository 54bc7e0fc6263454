import type { PluginParts } from '@sibyl/plugin'
import { isRequiredAbility } from '@sibyl/plugin/host'
import { isObject } from '@sibyl/protocol'

const isFunction = (value: unknown) => typeof value === 'function'
const hasFunctions = (value: unknown, ...names: string[]): value is Record<string, unknown> =>
  isObject(value) && names.every(name => isFunction(value[name]))

/** Every part of a plugin with its required type; tools, routes and services have separate checks. */
export const partShapes: Record<
  keyof PluginParts,
  { readonly fits: (value: unknown) => boolean; readonly expected: string }
> = {
  tools: { fits: () => true, expected: '' },
  routes: { fits: () => true, expected: '' },
  endpoint: {
    fits: value => typeof value === 'string' && value.startsWith('/'),
    expected: "a path such as '/v1'",
  },
  homePage: {
    fits: value => typeof value === 'string' && value.startsWith('/'),
    expected: "a path such as '/console'",
  },
  services: { fits: () => true, expected: '' },
  credentials: { fits: isCredentialSource, expected: 'an object with name, prefix, find and scopesOf' },
  capabilities: { fits: isFunction, expected: 'a function' },
  getAuthExcludedRoutes: { fits: isFunction, expected: 'a function' },
  instructions: {
    fits: value => typeof value === 'string' || isFunction(value) || isTurnInstructions(value),
    expected: 'a string, a function, or an object with an ability and the function forTurn',
  },
  turn: { fits: isTurnHooks, expected: 'an object with the functions before, beforeCall and after' },
  modelMiddleware: { fits: isObject, expected: 'a language model middleware' },
  personalRecords: {
    fits: isPersonalRecords,
    expected: 'an object with the functions export and erase; channels has of and find, names has of and all',
  },
  retention: { fits: areRules, expected: 'a list of the results of retain' },
  outboxes: { fits: areOutboxes, expected: 'a list of objects with a name and the functions counts and retry' },
  state: { fits: isFunction, expected: 'a function' },
  reason: { fits: isFunction, expected: 'a function' },
  dispose: { fits: isFunction, expected: 'a function' },
}

function isTurnHooks(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(
      ([key, hook]) => ['before', 'beforeCall', 'after'].includes(key) && (hook === undefined || isFunction(hook)),
    )
  )
}

function isTurnInstructions(value: unknown): boolean {
  return hasFunctions(value, 'forTurn') && isRequiredAbility(value.ability)
}

function isPersonalRecords(value: unknown): boolean {
  if (!hasFunctions(value, 'export', 'erase')) return false
  if (value.channels !== undefined && !hasFunctions(value.channels, 'of', 'find')) return false
  return value.names === undefined || hasFunctions(value.names, 'of', 'all')
}

function areRules(value: unknown): boolean {
  return Array.isArray(value) && value.every(one => hasFunctions(one, 'apply'))
}

function areOutboxes(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every(one => hasFunctions(one, 'counts', 'retry') && typeof one.name === 'string')
  )
}

function isCredentialSource(value: unknown): boolean {
  if (!hasFunctions(value, 'find', 'scopesOf')) return false
  return typeof value.name === 'string' && typeof value.prefix === 'string' && value.prefix !== ''
}
