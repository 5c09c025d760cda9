import { testStoreContract } from '../contracts/store.ts'
import { createMemoryStore } from './memory-store.ts'

testStoreContract('the store in memory', async (test) => {
  const store = createMemoryStore()
  await test({
    store,
    reopen: () => store,
    report: async (name) => store.reports.get(name) ?? '',
  })
})
