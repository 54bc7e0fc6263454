import { z } from 'zod'

/** `@field-oracle:matrix.example.org`; at most 255 bytes, as the specification says. */
export const matrixUserId = z
  .string()
  .max(255)
  .regex(/^@[^:\s\p{Cc}]+:[A-Za-z0-9.:[\]-]+$/u)

/** `!opaque:matrix.example.org` */
export const matrixRoomId = z
  .string()
  .max(255)
  .regex(/^![^\s\p{Cc}]+$/u)

/** Opaque, but it goes into a header. */
export const matrixAccessToken = z.string().regex(/^[\x21-\x7e]{1,4000}$/)

/** The name of the homeserver in a user's id. */
export const serverNameOf = (userId: string): string => userId.slice(userId.indexOf(':') + 1)

/** The user's part of a user's id. */
export const localpartOf = (userId: string): string => userId.slice(1, userId.indexOf(':'))
