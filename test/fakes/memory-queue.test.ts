import { testJobQueueContract } from '../contracts/job-queue.ts'
import { createMemoryQueue, type QueueMemory } from './memory-queue.ts'

testJobQueueContract('the queue in memory', async (test) => {
  const memory: QueueMemory = new Map()
  await test({ queue: createMemoryQueue(memory), reopen: async () => createMemoryQueue(memory) })
})
