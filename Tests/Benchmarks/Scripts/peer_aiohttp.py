"""aiohttp with the commands of the benchmarks: download URL FILE|-, many URL COUNT CONCURRENCY."""

import asyncio
import json
import sys
import time

import aiohttp


async def download(url, path):
    count = messages = 0
    out = None if path == "-" else open(path, "wb", buffering=0)
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        async for piece in response.content.iter_any():
            count += len(piece)
            messages += 1
            if out:
                out.write(piece)
    return count, messages, 1


async def many(url, total, concurrency):
    left = total
    count = 0
    connector = aiohttp.TCPConnector(limit=concurrency)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def work():
            nonlocal left, count
            while left > 0:
                left -= 1
                async with session.get(url) as response:
                    count += len(await response.read())

        await asyncio.gather(*(work() for _ in range(concurrency)))
    return count, total, total


begin = time.monotonic()
if sys.argv[1] == "download":
    result = asyncio.run(download(sys.argv[2], sys.argv[3]))
else:
    result = asyncio.run(many(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
print(json.dumps({"bytes": result[0], "messages": result[1], "finished": result[2], "failed": 0,
                  "seconds": time.monotonic() - begin}))
