import { Text } from '@mantine/core'
import { messageOf } from '../api/problem.ts'

/** The reason why an action failed; nothing without an error. */
export const Failure = ({ error }: { readonly error: unknown }) =>
  error === null || error === undefined ? null : (
    <Text size="sm" c="red" role="alert">
      {messageOf(error)}
    </Text>
  )
