import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';

/** Four passages each, whose words stick together or carry particles, and questions with the passage that answers. */
const TEXTS: Record<string, { readonly text: string; readonly questions: Readonly<Record<string, string>> }> = {
  korean: {
    text: `# 회사 안내

## 휴가

직원은 일 년에 스무 날의 휴가를 받습니다. 휴가는 팀장에게 신청합니다.

## 식당

식당은 지하 일 층에 있으며 열두 시에 문을 엽니다.

## 주차

주차장은 건물 뒤에 있습니다. 주차권은 안내 데스크에서 받습니다.

## 출장

출장비는 영수증과 함께 회계팀에 청구합니다.
`,
    questions: {
      '주차권을 어디에서 받나요?': '주차장은',
      '식당이 언제 여나요?': '열두 시에',
      '휴가 신청은 누구에게?': '팀장에게',
    },
  },
  thai: {
    text: `# คู่มือพนักงาน

## วันลา

พนักงานลาพักร้อนได้ยี่สิบวันต่อปีโดยต้องแจ้งหัวหน้าทีมล่วงหน้าสองสัปดาห์

## โรงอาหาร

โรงอาหารอยู่ชั้นใต้ดินและเปิดตอนเที่ยงวัน

## ที่จอดรถ

ที่จอดรถอยู่หลังอาคารและบัตรจอดรถรับได้ที่แผนกต้อนรับ

## เดินทาง

ค่าเดินทางเบิกได้ที่ฝ่ายบัญชีพร้อมใบเสร็จ
`,
    questions: { รับบัตรจอดรถที่ไหน: 'แผนกต้อนรับ', โรงอาหารเปิดเมื่อไร: 'ตอนเที่ยงวัน', ลาพักร้อนได้กี่วัน: 'ยี่สิบวัน' },
  },
};

let world: World;
beforeAll(async () => {
  world = await openWorld('none');
  for (const [domain, { text }] of Object.entries(TEXTS)) {
    await world.ingest.text({ domain, text, format: 'markdown', name: `${domain}.md` });
  }
});
afterAll(() => world.close());

describe('a script whose words are not divided by spaces', () => {
  it.each(
    Object.entries(TEXTS).flatMap(([domain, { questions }]) =>
      Object.entries(questions).map(([context, answer]) => [domain, context, answer] as const),
    ),
  )('is searched by its words: %s %s', async (domain, context, answer) => {
    const { items } = await world.retrieval.query({ context, domains: [domain], top_k: 3 });
    expect(items[0]?.content).toContain(answer);
  });
});
