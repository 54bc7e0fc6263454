import { Text } from '@mantine/core'
import { Problem } from '../api/problem.ts'

/** The reason why an action failed; nothing without an error. */
export const Failure = ({ error }: { readonly error: unknown }) =>
  error === null || error === undefined ? null : (
    <Text size="sm" c="red" role="alert">
      {error instanceof Problem ? error.message : String(error)}
    </Text>
  )
