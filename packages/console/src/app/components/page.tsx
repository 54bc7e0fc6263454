import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useView } from '../session/console-context.tsx'

/**
 * Heading, description and actions of a view, above its content. Sets the title of the document. The heading takes over the
 * focus if a navigation moved it to the main part of the page.
 */
export const Page = ({
  title,
  description,
  actions,
  views,
  children,
}: {
  readonly title: string
  readonly description?: ReactNode
  readonly actions?: ReactNode
  /** Navigation between the views of the feature. */
  readonly views?: ReactNode
  readonly children: ReactNode
}) => {
  const { siteName } = useView()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${siteName}`
    if (document.activeElement?.id === 'main') heading.current?.focus({ preventScroll: true })
  }, [title, siteName])
  return (
    <Stack gap="md">
      {views}
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm" mt={4}>
              {description}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
