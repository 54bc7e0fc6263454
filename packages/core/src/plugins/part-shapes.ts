import type { PluginParts } from '@sibyl/plugin'
import { isRequiredAbility } from '@sibyl/plugin/host'
import { isObject } from '@sibyl/protocol'

const isFunction = (value: unknown) => typeof value === 'function'
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
    expected: 'an object with the functions export and erase; channels has of and find',
  },
  retention: { fits: areRules, expected: 'a list of the results of retain' },
  outboxes: { fits: areOutboxes, expected: 'a list of objects with a name and the functions counts and retry' },
  state: { fits: isFunction, expected: 'a function' },
  reason: { fits: isFunction, expected: 'a function' },
  dispose: { fits: isFunction, expected: 'a function' },
}

function isTurnHooks(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.entries(value as object).every(
    ([key, hook]) => ['before', 'beforeCall', 'after'].includes(key) && (hook === undefined || isFunction(hook)),
  )
}

function isTurnInstructions(value: unknown): boolean {
  if (!isObject(value)) return false
  const { ability, forTurn } = value as Readonly<Record<string, unknown>>
  return isRequiredAbility(ability) && isFunction(forTurn)
}

function isPersonalRecords(value: unknown): boolean {
  if (!isObject(value)) return false
  const { export: report, erase, channels } = value as Readonly<Record<string, unknown>>
  return isFunction(report) && isFunction(erase) && (channels === undefined || isPersonChannels(channels))
}

function isPersonChannels(value: unknown): boolean {
  if (!isObject(value)) return false
  const { of: addressesOf, find } = value as Readonly<Record<string, unknown>>
  return isFunction(addressesOf) && isFunction(find)
}

function areRules(value: unknown): boolean {
  return Array.isArray(value) && value.every(one => isObject(one) && isFunction(one.apply))
}

function areOutboxes(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(one => isObject(one) && typeof one.name === 'string' && isFunction(one.counts) && isFunction(one.retry))
  )
}

function isCredentialSource(value: unknown): boolean {
  if (!isObject(value)) return false
  const { name, prefix, find, scopesOf } = value as Readonly<Record<string, unknown>>
  return (
    typeof name === 'string' && typeof prefix === 'string' && prefix !== '' && isFunction(find) && isFunction(scopesOf)
  )
}
