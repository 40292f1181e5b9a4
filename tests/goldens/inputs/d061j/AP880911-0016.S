<DOC><DOCNO> AP880911-0016 </DOCNO>
<HEAD><s docid="AP880911-0016" num="1" wdcount="2">Dogs run</s></HEAD>
<TEXT>
<s docid="AP880911-0016" num="2" wdcount="3">The dog ran.</s>
<s docid="AP880911-0016" num="3" wdcount="3">A cat slept.</s>
</TEXT></DOC>
