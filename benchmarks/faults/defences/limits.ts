import type { Defences } from './defence.ts'

/** Defences of limits and of the client's address. */
export const limitDefences: Defences = {
  'ipv6-by-64': {
    broken: 'Each IPv6 address is counted for itself.',
    replacements: [
      {
        file: 'packages/plugin/src/limits/ip-address.ts',
        find: 'own: network(64),',
        replace: 'own: address,',
      },
    ],
  },
  'limits-by-holder': {
    broken: 'Limits count the DID that acts, so that a re-delegation to a fresh key renews them.',
    replacements: [
      {
        file: 'packages/plugin/src/limits/limit-shares.ts',
        find: '=> holder ?? did',
        replace: '=> did',
      },
    ],
  },
  'proxies-by-address': {
    broken: 'X-Forwarded-For counts from any caller, not from the addresses of TRUST_PROXY_FROM alone.',
    replacements: [
      {
        file: 'packages/core/src/limits/client-address.ts',
        find: 'if (address === undefined || !from.has(address))',
        replace: 'if (address === undefined)',
      },
    ],
  },
  'rate-windows-by-stopwatch': {
    broken: 'The windows of rate limits go by the wall clock.',
    replacements: [
      {
        file: 'packages/core/src/limits/rate-counter.ts',
        find: 'now: () => number = () => performance.now()',
        replace: 'now: () => number = () => Date.now()',
      },
    ],
  },
  'reserve-for-the-known': {
    broken: 'Caps that are for all have no reserve for API keys and controllers.',
    replacements: [
      {
        file: 'packages/plugin/src/limits/limit-shares.ts',
        find: 'ofAll: capacity - reserved,',
        replace: 'ofAll: capacity,',
      },
    ],
  },
  'rightmost-hop': {
    broken: 'The address of a client is the first entry of X-Forwarded-For: the one that the client writes itself.',
    replacements: [
      {
        file: 'packages/core/src/limits/client-address.ts',
        find: 'lastEntries(forwardedFor, hops).reverse()',
        replace: "forwardedFor.split(',')",
      },
    ],
  },
  'shares-by-address': {
    broken: 'Caps that are for all have no shares by address.',
    replacements: [
      {
        file: 'packages/plugin/src/limits/limit-shares.ts',
        find: 'origin: actor.origin,',
        replace: 'origin: undefined,',
      },
    ],
  },
  'trusting-no-one': {
    broken: 'X-Forwarded-For counts although no proxy is trusted.',
    replacements: [
      {
        file: 'packages/core/src/limits/client-address.ts',
        find: "if (hops === 0) return { address, ignoredBy: 'TRUST_PROXY_ENABLED' }",
        replace: 'hops ||= 1',
      },
    ],
  },
}
