import { Badge, Group, Text } from '@mantine/core'

/** Scopes that are shown; the others are in the title. */
const shown = 3

/** The abilities of a credential; those of the operator stand out. */
export const Scopes = ({ scopes }: { readonly scopes: readonly string[] }) => (
  <Group gap={4} title={scopes.join(' ')}>
    {scopes
      .toSorted((one, other) => Number(isOfOperator(other)) - Number(isOfOperator(one)))
      .slice(0, shown)
      .map(scope => (
        <Badge key={scope} size="sm" variant={isOfOperator(scope) ? 'filled' : 'default'} tt="none">
          {scope}
        </Badge>
      ))}
    {scopes.length > shown && (
      <Text size="xs" c="dimmed">
        +{scopes.length - shown}
      </Text>
    )}
  </Group>
)

const isOfOperator = (scope: string): boolean => scope.startsWith('operator/')
