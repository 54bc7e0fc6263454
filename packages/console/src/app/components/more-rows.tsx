import { Button, Group, Loader, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../api/problem.ts'
import type { MorePages } from './use-load-more.ts'

/** The number of loaded rows of a list, and the error if the next page failed. */
export const MoreRows = ({ count, pages }: { readonly count: number; readonly pages: MorePages | undefined }) => {
  const { t } = useTranslation()
  return (
    <Group gap="xs" mt={6} role="status">
      <Text size="xs" c="dimmed">
        {pages?.hasMore ? t('table.loaded', { count }) : t('table.rows', { count })}
      </Text>
      {pages?.isLoadingMore && <Loader size={12} />}
      {pages !== undefined && pages.moreError !== null && (
        <>
          <Text size="xs" c="red">
            {messageOf(pages.moreError)}
          </Text>
          <Button size="compact-xs" variant="default" onClick={pages.loadMore}>
            {t('state.retry')}
          </Button>
        </>
      )}
    </Group>
  )
}
