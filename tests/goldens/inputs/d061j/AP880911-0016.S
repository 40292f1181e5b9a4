<DOC><DOCNO> AP880911-0016 </DOCNO><FILEID>passed over</FILEID><DATE>880911</DATE>
<HEAD><s docid="AP880911-0016" num="1" wdcount="2">Dogs run</s></HEAD>
<DATELINE>ROME</DATELINE>
<TEXT>
<s docid="AP880911-0016" num="2" wdcount="3">The dog ran.<s>
Loose text.
<P><s docid="AP880911-0017" num="3" wdcount="3">A cat slept.</s>
<s docid="AP880911-0016" num="5" wdcount="1">Five <X>
rings.</P>
</TEXT></DOC>
<DOC><HL>Birds</HL><DD> September 12, 1988 </DD>
<LP><s docid="AP880912-0001" num="1">Birds sang.</s></LP>
<TEXT><s docid="AP880912-0001" num="2">Then silence.</s></TEXT></DOC>
<DOC><DOCNO>AP880913-0001</DOCNO><LEADPARA>Mr. A left. He ran.</LEADPARA><TEXT>And more.</TEXT></DOC>
