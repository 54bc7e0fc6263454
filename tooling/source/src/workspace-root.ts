import { resolve } from 'node:path'

/** The folder of the checkout, absolute. */
export const workspaceRoot: string = resolve(import.meta.dirname, '../../..')
