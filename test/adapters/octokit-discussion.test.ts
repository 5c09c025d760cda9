import { testDiscussionContract } from '../contracts/discussion.ts'
import { openDiscussionBench } from './discussion-bench.ts'

testDiscussionContract('the discussion on @octokit', openDiscussionBench)
