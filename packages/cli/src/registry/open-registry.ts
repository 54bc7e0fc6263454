import { HttpRegistry } from '@sibyl/client'
import { cappedFetch } from './capped-fetch.ts'
import { openChainRegistry } from './chain-node.ts'
import { type Controller, isImpersonating } from './controller.ts'
import { explained } from './explained-registry.ts'
import { httpRequestOf } from './http-request-of.ts'
import type { OpenedRegistry, OpenRegistryOptions } from './opened-registry.ts'
import type { RegistryNode } from './registry-node.ts'

/** The most bytes of one answer: an entity has 100,000 of its own, besides its credentials and relationships. */
const maxAnswerBytes = 4_000_000

/**
 * Opens a registry for somebody who acts there. What goes wrong there is thrown as a `CommandError`.
 *
 * @param controller See `controllerFor`.
 * @throws `not_signed_in` on a chain where the controller's words are not on this computer
 */
export const openRegistry = async (
  node: RegistryNode,
  controller: Controller,
  options: OpenRegistryOptions = {},
): Promise<OpenedRegistry> => {
  if (node.did === undefined) return openChainRegistry(node, controller, options)
  const registry = new HttpRegistry({
    url: node.url,
    expectedDid: node.did,
    signer: controller.signer,
    proofs: controller.proofs,
    impersonate: isImpersonating(controller),
    fetch: cappedFetch(node.fetch, maxAnswerBytes),
  })
  return {
    node,
    controller,
    registry: explained(registry, node),
    preview: async write => httpRequestOf(node.url, write),
    forget: async () => {},
    close: () => node.close(),
  }
}
